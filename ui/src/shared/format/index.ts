/** Numbers, money and dates in the wording of the design, §11. Missing values are an en dash; minus is a true minus. */
export * from './date';
export * from './money';
export * from './names';
export * from './number';
export * from './problem';
export * from './sentence';
export * from './zone';

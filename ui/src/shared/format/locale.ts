/** Grouping and decimal signs of every number. The words are English, and so are the signs until Appearance offers a choice. */
export const locale = 'en-US';

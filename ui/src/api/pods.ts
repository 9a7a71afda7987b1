/** Pods in these states need no action. */
export const quietStates = ['Running', 'Succeeded', 'Completed'];

/** Pods in these states need nobody. */
export const quietStates = ['Running', 'Succeeded', 'Completed'];

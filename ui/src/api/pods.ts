/** Pods in these states need nobody. */
export const quietStates = ['Running', 'Succeeded', 'Completed'];

/** Pods of the latest look that somebody should look at. */
export const podsInTrouble = { is_active: { _eq: true }, status: { _nin: quietStates } };

import { createStore } from './store';

export const programName = 'Quarterdeck';

/** What the name of the window ends with on every page: the program, and before it the instance in front where that is elsewhere. */
export const windowName = createStore(programName);

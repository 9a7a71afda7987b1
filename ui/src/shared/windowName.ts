import { createStore } from './store';

export const programName = 'Quarterdeck';

/** The suffix of the window title on every page: the program, preceded by the name of the current remote instance. */
export const windowName = createStore(programName);

import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './shared/styles/index.css';
import { ask } from './app/ask';
import { client } from './app/client';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
// The first page asks its questions while the code that shows it is still being read.
const asked = ask(client);
void import('./app/start').then(({ start }) => start(root, asked));

import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './shared/styles/index.css';
import { ask } from './app/ask';
import { client } from './app/client';
import { start } from './app/start';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
void start(root, ask(client));

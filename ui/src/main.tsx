import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './shared/styles/index.css';
import { client } from './app/client';
import { prefetch } from './app/prefetch';
import { start } from './app/start';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
void start(root, prefetch(client));

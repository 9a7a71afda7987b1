import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './shared/styles/index.css';
import { ask } from './app/ask';
import { client } from './app/client';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');
// The first page asks its questions while the code that shows it is still being read. It is not begun before they are sent: reading takes all of the
// page's one thread, and a question that comes behind it is answered that much later.
const { sent, answered } = ask(client);
void sent.then(() => import('./app/start')).then(({ start }) => start(root, answered));

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** When the service of the pictures was started, by its own clock and those of its pages. */
export const startedAt = '2026-06-17 12:00:00';

/** A hundredth of the speed: minutes of a busy machine are seconds on the pages, and rows keep their order. */
const clock = `@${startedAt} x0.01`;

const project = resolve(import.meta.dirname, '../..');
const program = process.env['QUARTERDECK_SERVER'] ?? join(project, 'target/debug/quarterdeck-server');

/** A service on an empty data directory whose clock stands (almost) still. */
export interface Service {
  /** Signs a browser in, once. */
  signInLink: string;
  /** `http://127.0.0.1:PORT` */
  address: string;
  dataDir: string;
  stop: () => void;
}

/** Starts it; it answers when this resolves. */
export async function startService(): Promise<Service> {
  if (!existsSync(program)) throw new Error(`${program} is not built. \`make test-baselines\` builds it`);
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-baselines-'));
  const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--data-dir', dataDir], {
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
      TZ: 'UTC',
      LD_PRELOAD: clockLibrary(),
      FAKETIME: clock,
      // What waits goes by this clock: it would wait a hundred times as long.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = () => {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const signInLink = await printedLink(child);
    return { signInLink, address: new URL(signInLink).origin, dataDir, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

async function printedLink(child: ChildProcess): Promise<string> {
  const seen: string[] = [];
  if (child.stdout === null) throw new Error('the output of the service is not read');
  const lines = createInterface(child.stdout);
  for await (const line of lines) {
    const link = /\S+\/sign-in#code=\S+/.exec(line)?.[0];
    if (link !== undefined) {
      // Nobody else reads what it prints; a full pipe would stop it.
      child.stdout.resume();
      return link;
    }
    seen.push(line);
  }
  throw new Error(`quarterdeck-server printed no sign-in link but: ${seen.join('\n')}`);
}

/** libfaketime, by which a program's clock is set. `make test-baselines` installs it. */
function clockLibrary(): string {
  const name = 'libfaketimeMT.so.1';
  const folders = ['/usr/lib', '/usr/lib64'].filter(existsSync);
  const below = folders.flatMap((folder) => readdirSync(folder).map((entry) => join(folder, entry)));
  const found = [...folders, ...below].map((folder) => join(folder, 'faketime', name)).find(existsSync);
  if (found === undefined) throw new Error(`${name} is not on this machine; the Debian package is faketime`);
  return found;
}

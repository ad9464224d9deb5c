import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Starts a server from this folder in a separate process, which runs until `stop` is called. */
export async function startChildServer(
  script: string,
  ...args: string[]
): Promise<{ url: string; pid: number; stop: () => void }> {
  const file = join(import.meta.dirname, script);
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { url, pid: Number(child.pid), stop: () => child.kill() };
}

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { signalGroup } from '../builds/signalTree';
import { withoutOwnVariables } from '../builds/ownVariables';

/** The first argument of the program when it is to supervise a module. */
export const SUPERVISE = 'supervise';

/** Programs that are killed can hold their files for a moment, and create some until they have ended. */
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;

/** Sent once, to start the module. */
export interface SuperviseRequest {
  /** The absolute path of the entrypoint. */
  readonly path: string;
  /** The address to listen on. */
  readonly address: string;
  /** The folder with the files of the run, which is removed when the run is left to the supervisor. */
  readonly runFolder: string;
}

/** Events of the module that the supervisor sends. */
export type SuperviseEvent =
  | { readonly kind: 'started'; readonly id: number }
  | { readonly kind: 'startFailed'; readonly reason: string }
  /** With the signal or the exit code, in words. */
  | { readonly kind: 'exited'; readonly exit: string };

/**
 * Starts a module and ends it, with all that it has started, when the channel to the process that runs it closes:
 * no system ends a program whose parent was killed. Windows ends only its children, so that the module must be the
 * child of a process that remains.
 */
export function supervise(): void {
  let runFolder: string | undefined;
  let end = (): void => undefined;
  process.once('message', (request: SuperviseRequest) => {
    ({ runFolder } = request);
    const child = spawn(request.path, [request.address], {
      env: withoutOwnVariables(process.env),
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const { pid } = child;
    if (pid !== undefined) {
      end = () => signalGroup(pid, 'SIGKILL');
      send({ kind: 'started', id: pid });
    }
    child.once('error', ({ message: reason }) => finish({ kind: 'startFailed', reason }));
    child.once('exit', (code, signal) => {
      // Processes that it started would keep running. Windows can reuse its ID.
      if (process.platform !== 'win32') end();
      end = () => undefined;
      finish({ kind: 'exited', exit: signal ?? `exit code ${String(code)}` });
    });
  });
  process.once('disconnect', () => {
    end();
    try {
      if (runFolder !== undefined) rmSync(runFolder, REMOVAL);
    } finally {
      process.exit();
    }
  });
}

function send(event: SuperviseEvent, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(event, sent);
}

function finish(event: SuperviseEvent): void {
  send(event, () => process.exit());
}

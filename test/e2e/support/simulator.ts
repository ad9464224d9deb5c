import { pinnedNode } from '../../../scripts/bootstrap/pinnedNode.mjs';
import { fromRoot, root } from '../../../scripts/support/paths';
import { startGroup } from '../../../scripts/support/processGroup';
import type { ServiceProcess } from '../../../scripts/support/serviceProcess';

/** Simulated machines of a fleet, which talk to its service as real ones do. */
export interface Simulator {
  stop(): Promise<void>;
}

/**
 * Starts machines of the owner's organization that log, restart when they are told to, and stay: those
 * that are online before the others, by name.
 */
export function startSimulator(
  { credentialsFile }: Pick<ServiceProcess, 'credentialsFile'>,
  machines: number,
): Simulator {
  const quiet = ['absences-per-hour', 'readings-every', 'images-every', 'clouds-every'];
  return startGroup(
    pinnedNode(root),
    [
      ...[fromRoot('dist', 'service.js'), 'simulate', '--credentials', credentialsFile],
      ...['--machines', String(machines), ...quiet.flatMap((option) => [`--${option}`, '0'])],
    ],
    { cwd: root, stdio: 'ignore' },
  );
}

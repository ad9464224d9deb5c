import { pinnedNode } from '../../../scripts/bootstrap/pinnedNode.mjs';
import { fromRoot, root } from '../../../scripts/support/paths';
import { startGroup } from '../../../scripts/support/processGroup';
import type { ServiceProcess } from '../../../scripts/support/serviceProcess';

/** Simulated machines of a fleet that communicate with its service like real machines. */
export interface Simulator {
  stop(): Promise<void>;
}

/**
 * Starts the machines of the owner's organization, which then log, restart on request, and stay
 * online. Machines that are already online are started first, sorted by name.
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

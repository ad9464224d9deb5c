import * as vscode from 'vscode';
import type { Logger } from '../../../base/logger';
import { findFirstMachine } from '../../../core/listing/findFirstMachine';
import type { Connection } from '../../../core/model/connection';
import type { MachineTarget } from '../../../core/model/resourceTarget';
import type { KeyValue } from '../../../core/ports';
import { views } from '../../../manifest/contributions';
import { completeSteps } from '../../platform/commands/contextKeys';
import type { SessionProvider } from '../../platform/sessionProvider';

const WALKTHROUGH = 'fleetwright.fleetwright#start';

export interface WelcomeOptions {
  readonly sessions: SessionProvider;
  /** Storage that all windows share, so that the walkthrough opens only once. */
  readonly storage: KeyValue;
  readonly logger: Logger;
  /** Selects a machine in the Fleet view and expands it. */
  readonly reveal: (machine: MachineTarget, options: { readonly focus: boolean }) => Promise<void>;
}

/** Shows a machine in the Fleet view, and the walkthrough in the editor area. */
export async function showFirstFleet(
  { sessions, reveal }: WelcomeOptions,
  connection: Connection,
  { focus }: { readonly focus: boolean },
): Promise<void> {
  const machine = await findFirstMachine(sessions.stores(connection.id), connection);
  if (machine) await reveal(machine, { focus });
  else if (focus) await vscode.commands.executeCommand(`${views.fleet}.focus`);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, {
    toSide: false,
    inactive: !focus,
  });
  completeSteps('fleetwright.fleetShown');
}

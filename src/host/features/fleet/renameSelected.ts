import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { FleetTarget } from '../../../core/model/resourceTarget';
import type { Commands } from '../../platform/commandRegistry';

/**
 * Renames the resource selected in the tree, using the command for its kind. Throws `invalid` for
 * nodes that can't be renamed.
 */
export async function renameSelected(
  commands: Commands,
  selected: readonly FleetTarget[],
): Promise<void> {
  const target = selected.length === 1 ? selected[0] : undefined;
  switch (target?.kind) {
    case 'organization':
      return commands.execute('fleetwright.organization.rename', target);
    case 'location':
      return commands.execute('fleetwright.location.rename', target);
    case 'machine':
      return commands.execute('fleetwright.machine.rename', target);
    case 'part':
      return commands.execute('fleetwright.part.rename', target);
    case 'fragment':
      return commands.execute('fleetwright.fragment.rename', target);
    case 'dataset':
      return commands.execute('fleetwright.dataset.rename', target);
    default:
      throw new FleetError(
        'invalid',
        vscode.l10n.t(
          'Select an organization, location, machine, part, fragment, or dataset to rename.',
        ),
      );
  }
}

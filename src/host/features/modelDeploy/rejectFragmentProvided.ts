import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { parseConfigText } from '../../../core/documents/resolvedText';
import { isList, isObject, getMember } from '../../../core/fragments/configValue';
import { displayName } from '../../../core/model/toDisplayText';
import { fragmentId } from '../../../core/model/ids';
import type { FleetStores } from '../../../core/stores/fleetStores';
import type { ResolvedPart } from '../../platform/resolvePart';

/**
 * @param resolved resolved config of a part
 * @throws FleetError `invalid` if a fragment provides the package; the message explains where to
 *   change it.
 */
export async function rejectFragmentProvided(
  { fragments }: Pick<FleetStores, 'fragments'>,
  resolved: ResolvedPart,
  ids: readonly string[],
): Promise<void> {
  const config = parseConfigText(resolved.text);
  const packages = isObject(config) ? getMember(config, 'packages') : undefined;
  if (!isList(packages)) return;
  for (const [index, entry] of packages.entries()) {
    const id = isObject(entry) ? getMember(entry, 'package') : undefined;
    if (typeof id !== 'string' || !ids.includes(id)) continue;
    const origin = resolved.origins.find(({ path }) => path[0] === 'packages' && path[1] === index);
    const holding = origin?.fragments.at(-1);
    if (holding === undefined) continue;
    const fragment = await fragments.get(fragmentId(holding));
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        'The fragment "{0}" provides this model. To change its version for all machines that use the fragment, change the fragment\'s config.',
        displayName(fragment),
      ),
    );
  }
}

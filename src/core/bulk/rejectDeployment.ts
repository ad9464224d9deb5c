import type { Localizer } from '../../base/localizer';
import { FleetError } from '../api/errors';
import { parseConfigText } from '../documents/resolvedText';
import { parseImports } from '../fragments/fragmentImport';
import { resolveConfig } from '../fragments/resolveConfig';
import type { PartTarget } from '../model/resourceTarget';
import { moduleInFragments } from '../modules/deploy/moduleInFragments';
import { moduleUses } from '../modules/deploy/moduleUse';
import type { FragmentStore } from '../stores/fragmentStore';
import { loadFragments } from '../stores/loadFragments';
import type { ModuleChange } from './configChange';

/**
 * Throws if a part can't use a module. Either a fragment already provides the module, so that
 * another entry would be a duplicate, or the module is private to another organization.
 * @throws FleetError `invalid` in these cases; errors from reading the fragments.
 */
export async function rejectDeployment(
  fragments: FragmentStore,
  { machineId, organizationId }: Pick<PartTarget, 'machineId' | 'organizationId'>,
  configText: string,
  { deployment, privateTo }: ModuleChange,
  { signal, l10n }: { readonly signal: AbortSignal; readonly l10n: Localizer },
): Promise<void> {
  if (privateTo !== undefined && privateTo !== organizationId) {
    const message = l10n.t(
      'The module is private to another organization. Change its visibility first.',
    );
    throw new FleetError('invalid', message);
  }
  const { ids } = deployment;
  const config = parseConfigText(configText);
  if (moduleUses(configText, ids).length > 0 || parseImports(config).length === 0) return;
  const request = { machine: machineId, config, saved: config, signal };
  const { lookup, getName: nameOf } = await loadFragments(fragments, request);
  const resolved = resolveConfig(config, lookup);
  const fragmentModule = moduleInFragments(resolved.config, resolved.origins, ids);
  if (!fragmentModule) return;
  const name = nameOf(fragmentModule.holdingFragment) ?? fragmentModule.holdingFragment;
  throw new FleetError(
    'invalid',
    l10n.t(
      'Fragment "{0}" provides this module. Override it on this machine, or change the fragment.',
      name,
    ),
  );
}

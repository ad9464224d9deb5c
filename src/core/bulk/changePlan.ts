import { englishLocalizer, type Localizer } from '../../base/localizer';
import { FleetError } from '../api/errors';
import type { FleetStores } from '../stores/fleetStores';
import type { PartWithPath } from '../stores/findMachines';
import type { PartStore } from '../stores/partStore';
import { type BulkOutcome, type BulkRunOptions, runBulk } from './bulkRun';
import { parseConfigText } from '../documents/resolvedText';
import { parseImports } from '../fragments/fragmentImport';
import { resolveConfig } from '../fragments/resolveConfig';
import type { PartTarget } from '../model/resourceTarget';
import { moduleInFragments } from '../modules/deploy/moduleInFragments';
import { type Deployment, deployModule, moduleUses } from '../modules/deploy/moduleUse';
import type { FragmentStore } from '../stores/fragmentStore';
import { loadFragments } from '../stores/loadFragments';
import { findJsonProblems } from '../documents/jsonProblems';
import { addFragment, type FragmentUse } from '../documents/fragmentEdits';
import { applyMergePatch } from '../documents/jsonEdits';
import type { OrganizationId } from '../model/ids';

/** A part's config before and after a change. */
export interface PlannedChange {
  readonly part: PartWithPath;
  readonly before: string;
  readonly after: string;
}

/** Preview of a change, part by part. Creating it doesn't write anything. */
export interface ChangePlan {
  readonly changes: readonly PlannedChange[];
  /** Parts that already have the requested config. */
  readonly unchanged: readonly PartWithPath[];
  readonly failed: readonly Extract<BulkOutcome<PartWithPath>, { readonly state: 'failed' }>[];
}

/**
 * Reads the current configs and computes each part's config after the change. Writes nothing.
 * @throws the signal's reason when it aborts: a partial plan is useless.
 */
export async function planChanges(
  stores: Pick<FleetStores, 'fragments' | 'parts'>,
  parts: readonly PartWithPath[],
  change: ConfigChange,
  options: BulkRunOptions & { readonly l10n?: Localizer },
): Promise<ChangePlan> {
  const { signal, l10n = englishLocalizer } = options;
  const planned = new Map<PartWithPath, PlannedChange>();
  const outcomes = await runBulk(
    parts,
    async (part) => {
      const { configText } = await stores.parts.get(part.target.partId, {
        signal,
        fresh: true,
      });
      const after = changedConfig(configText, change, l10n);
      if (change.kind === 'deployModule') {
        await rejectDeployment(stores.fragments, part.target, configText, change, { signal, l10n });
      }
      planned.set(part, { part, before: configText, after });
    },
    options,
  );
  signal.throwIfAborted();
  const all = parts.flatMap((part) => planned.get(part) ?? []);
  return {
    changes: all.filter(({ before, after }) => before !== after),
    unchanged: all.filter(({ before, after }) => before === after).map(({ part }) => part),
    failed: outcomes.filter((outcome) => outcome.state === 'failed'),
  };
}

/**
 * Writes one planned change, unless the config has changed since the plan was made. Reads the part
 * immediately before writing, because services can ignore the request's version, and because every
 * update must also send the part's name.
 * @throws FleetError `conflict` if the config has changed, and errors from the service.
 */
export async function applyPlanned(
  store: PartStore,
  planned: PlannedChange,
  l10n = englishLocalizer,
): Promise<void> {
  const { partId } = planned.part.target;
  const { name, configText, lastUpdated } = await store.get(partId, { fresh: true });
  if (configText !== planned.before) {
    throw new FleetError('conflict', l10n.t('The config has changed since it was loaded.'));
  }
  await store.updateConfig(partId, {
    name,
    configText: planned.after,
    lastKnownUpdate: lastUpdated,
  });
}

/**
 * Throws if a part can't use a module. Either a fragment already provides the module, so that
 * another entry would be a duplicate, or the module is private to another organization.
 * @throws FleetError `invalid` in these cases; errors from reading the fragments.
 */
async function rejectDeployment(
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
  const { lookup, getName } = await loadFragments(fragments, request);
  const resolved = resolveConfig(config, lookup);
  const fragmentModule = moduleInFragments(resolved.config, resolved.origins, ids);
  if (!fragmentModule) return;
  const name = getName(fragmentModule.holdingFragment) ?? fragmentModule.holdingFragment;
  throw new FleetError(
    'invalid',
    l10n.t(
      'Fragment "{0}" provides this module. Override it on this machine, or change the fragment.',
      name,
    ),
  );
}

/** Change that is applied to the configs of many parts. */
export type ConfigChange =
  | { readonly kind: 'mergePatch'; readonly patch: string }
  | { readonly kind: 'addFragment'; readonly use: FragmentUse; readonly fragmentName: string }
  | ModuleChange;

/** Module to add to configs. */
interface ModuleChange {
  readonly kind: 'deployModule';
  readonly deployment: Deployment;
  /**
   * The only organization whose machines can use the module; absent if machines in all
   * organizations can use it.
   */
  readonly privateTo?: OrganizationId | undefined;
}

/**
 * Returns the config text after a change, or the original text if nothing changes.
 * @throws FleetError `invalid` when the change can't be applied to the config.
 */
function changedConfig(configText: string, change: ConfigChange, l10n: Localizer): string {
  const [problem] = configText.trim() === '' ? [] : findJsonProblems(configText, 'text');
  if (problem) throw new FleetError('invalid', l10n.t('The config is not a valid JSON object.'));
  switch (change.kind) {
    case 'addFragment':
      return addFragment(configText, change.use, l10n);
    case 'deployModule':
      return deployModule(configText, change.deployment, l10n);
    case 'mergePatch':
      return applyMergePatch(configText, change.patch);
  }
}

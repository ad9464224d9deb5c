import type { Localizer } from '../../base/localizer';
import { FleetError } from '../api/errors';
import { findJsonProblems } from '../documents/jsonProblems';
import { addFragment, type FragmentUse } from '../documents/fragmentUse';
import { applyMergePatch } from '../documents/mergePatch';
import type { OrganizationId } from '../model/ids';
import { deployModule } from '../modules/deploy/moduleUse';
import type { Deployment } from '../modules/deploy/moveUses';

/** Change that is applied to the configs of many parts. */
export type ConfigChange =
  | { readonly kind: 'mergePatch'; readonly patch: string }
  | { readonly kind: 'addFragment'; readonly use: FragmentUse; readonly fragmentName: string }
  | ModuleChange;

/** Module to add to configs. */
export interface ModuleChange {
  readonly kind: 'deployModule';
  readonly deployment: Deployment;
  /** The only organization whose machines can use the module; absent for all organizations. */
  readonly privateTo?: OrganizationId | undefined;
}

/**
 * Returns the config text after a change, or the identical text if nothing changes.
 * @throws FleetError `invalid` when the change can't be applied to the config.
 */
export function changedConfig(configText: string, change: ConfigChange, l10n: Localizer): string {
  const [problem] = configText.trim() === '' ? [] : findJsonProblems(configText, 'text');
  if (problem) throw new FleetError('invalid', l10n.t('The config is not a valid JSON object.'));
  switch (change.kind) {
    case 'addFragment':
      return addFragment(configText, change.use);
    case 'deployModule':
      return deployModule(configText, change.deployment);
    case 'mergePatch':
      return applyMergePatch(configText, change.patch);
  }
}

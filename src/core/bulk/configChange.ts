import { FleetError } from '../api/errors';
import { findJsonProblems } from '../documents/jsonProblems';
import { addFragment, type FragmentUse } from '../documents/fragmentUse';
import { applyMergePatch } from '../documents/mergePatch';
import type { OrganizationId } from '../model/ids';
import { deployModule } from '../modules/deploy/moduleUse';
import type { Deployment } from '../modules/deploy/moveUses';

/** One change that the configs of many parts get. */
export type ConfigChange =
  | { readonly kind: 'mergePatch'; readonly patch: string }
  | { readonly kind: 'addFragment'; readonly use: FragmentUse; readonly fragmentName: string }
  | ModuleChange;

/** A module that configs are to run. */
export interface ModuleChange {
  readonly kind: 'deployModule';
  readonly deployment: Deployment;
  /** The only organization whose machines may have it; absent when all may. */
  readonly privateTo?: OrganizationId | undefined;
}

/**
 * The text a config has after a change; the very same text when it is as wanted already.
 * @throws FleetError `invalid` when the config cannot take the change.
 */
export function changedConfig(configText: string, change: ConfigChange): string {
  const [problem] = configText.trim() === '' ? [] : findJsonProblems(configText, 'text');
  if (problem) throw new FleetError('invalid', 'The config is not a valid JSON object.');
  switch (change.kind) {
    case 'addFragment':
      return addFragment(configText, change.use);
    case 'deployModule':
      return deployModule(configText, change.deployment);
    case 'mergePatch':
      return applyMergePatch(configText, change.patch);
  }
}

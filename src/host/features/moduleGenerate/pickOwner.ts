import * as vscode from 'vscode';
import { namespaceProblem } from '../../../core/model/namespaceProblem';
import { getNames } from '../../../core/model/resourceName';
import { resolveTarget } from '../../platform/resolveTarget';
import { promptForText, inputError } from '../../platform/prompts';
import type { FleetTools } from '../../platform/fleetTools';

/** Owner of a generated module. */
export interface ModuleOwner {
  /** Prefix of the module's ID and its models. */
  readonly namespace: string;
  /** Names that the organization has already registered. */
  readonly registered: ReadonlySet<string>;
}

/**
 * Prompts for the organization of a new module. If no connection is signed in, prompts for its
 * namespace instead, because generating a module doesn't require a service. Throws `canceled`.
 */
export async function pickOwner(tools: FleetTools): Promise<ModuleOwner> {
  if (!tools.sessions.active)
    return { namespace: await promptForNamespace(), registered: new Set() };
  const { target, stores } = await resolveTarget(tools, 'organization', undefined);
  const { organizationId: id } = target;
  const [organization, items] = await Promise.all([
    stores.organizations.get(id),
    stores.registry.list(id),
  ]);
  return {
    namespace: organization.publicNamespace || id,
    registered: new Set(getNames(items)),
  };
}

async function promptForNamespace(): Promise<string> {
  const namespace = await promptForText({
    title: vscode.l10n.t('Create Module Project'),
    prompt: vscode.l10n.t(
      'Namespace of the organization that will own the module. Sign in to select it from a list.',
    ),
    leadsToBox: true,
    validate: (value) => {
      switch (namespaceProblem(value.trim())) {
        case undefined:
          return undefined;
        case 'empty':
          return { message: vscode.l10n.t('Enter a namespace.'), severity: 'incomplete' };
        case 'characters':
          return inputError(
            vscode.l10n.t('A namespace can contain only lowercase letters, digits, and dashes.'),
          );
      }
    },
  });
  return namespace.trim();
}

import * as vscode from 'vscode';
import { systemSleep } from '../../../base/clock';
import { FleetError } from '../../../core/api/errors';
import type { Organization } from '../../../core/model/entities';
import { NamespaceCheck, type NamespaceState } from '../../../core/stores/namespaceCheck';
import type { OrganizationStore } from '../../../core/stores/organizationStore';
import { promptForText, confirm, type InputProblem } from '../../platform/prompts';

/**
 * Prompts for the public namespace of an organization that has none. Checks the availability as the
 * user types, and sets the namespace after a confirmation. Throws `canceled`.
 */
export async function promptForNamespace(
  organizations: OrganizationStore,
  { id, name }: Pick<Organization, 'id' | 'name'>,
): Promise<void> {
  const check = new NamespaceCheck(
    (namespace, options) => organizations.isNamespaceAvailable(namespace, options),
    systemSleep,
  );
  try {
    await promptForText({
      title: vscode.l10n.t('Public Namespace of "{0}"', name),
      prompt: vscode.l10n.t(
        'The namespace is the prefix for everything that the organization publishes, and can be set only once. Use lowercase letters, digits, and dashes.',
      ),
      placeholder: 'acme-robotics',
      validate: (value) => toNamespaceProblem(value, check.getState(value)),
      onDidChangeValidity: check.onDidChange,
      submit: async (value) => {
        requireFree(value, await check.waitForState(value));
        await confirm(
          vscode.l10n.t('Set the public namespace of "{0}" to "{1}"?', name, value),
          vscode.l10n.t("The namespace can be set only once and can't be changed afterward."),
          vscode.l10n.t('Set Namespace'),
        );
        await organizations.update(id, { publicNamespace: value });
      },
    });
  } finally {
    check.dispose();
  }
}

function toNamespaceProblem(value: string, state: NamespaceState): InputProblem {
  switch (state.kind) {
    case 'empty':
      return { message: vscode.l10n.t('Enter a namespace.'), severity: 'error' };
    case 'characters':
      return {
        message: vscode.l10n.t(
          'A namespace can contain only lowercase letters, digits, and dashes.',
        ),
        severity: 'error',
      };
    case 'checking':
      return {
        message: vscode.l10n.t('Checking whether "{0}" is available…', value),
        severity: 'info',
      };
    case 'available':
      return {
        message: vscode.l10n.t('"{0}" is available. Press Enter to set it.', value),
        severity: 'info',
      };
    case 'taken':
      return { message: formatTaken(value), severity: 'error' };
    case 'failed':
      // Pressing Enter repeats the check.
      return { message: state.error.message, severity: 'warning' };
  }
}

function requireFree(value: string, state: NamespaceState): void {
  if (state.kind === 'failed') throw state.error;
  if (state.kind === 'taken') throw new FleetError('invalid', formatTaken(value));
}

function formatTaken(value: string): string {
  return vscode.l10n.t('"{0}" is taken by another organization.', value);
}

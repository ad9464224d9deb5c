import * as vscode from 'vscode';
import { displayName, toDisplayText } from '../../../core/model/toDisplayText';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import { parseUserName } from '../../../core/stores/databaseStore';
import type { FleetTools } from '../../platform/fleetTools';
import { pickOne, promptForText, inputError } from '../../platform/prompts';
import { toQuickPickText } from '../../platform/toQuickPickText';
import { resolveTarget } from '../../platform/resolveTarget';
import { copyText } from '../../platform/statusMessage';

/** Minimum length that the service accepts (spec part 1, database access). */
const SHORTEST_PASSWORD = 8;

interface ConnectionFact extends vscode.QuickPickItem {
  readonly act: () => Promise<void>;
}

/**
 * Shows the connection string of an organization's database so that the user can copy it. The
 * string doesn't contain the password, which can't be read.
 */
export async function showDatabase(
  tools: FleetTools,
  given: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'organization', given, 'readData');
  const { host, uri, hasUser } = await stores.database.connection(target.organizationId);
  const copying = (label: string, text: string): ConnectionFact => ({
    label,
    description: toQuickPickText(text),
    detail: vscode.l10n.t('Press Enter to copy'),
    act: () => copyText(text),
  });
  const user = parseUserName(uri);
  const facts: readonly ConnectionFact[] = [
    copying(vscode.l10n.t('URI'), uri),
    copying(vscode.l10n.t('Host'), host),
    ...(user === undefined ? [] : [copying(vscode.l10n.t('User Name'), user)]),
    {
      label: hasUser ? vscode.l10n.t('Change Password…') : vscode.l10n.t('Set Password…'),
      description: hasUser
        ? vscode.l10n.t('A password is set')
        : vscode.l10n.t('No password is set, so no one can connect'),
      act: () => setDatabasePassword(tools, target),
    },
  ];
  const chosen = await pickOne(facts, {
    title: vscode.l10n.t('Database of "{0}"', formatOrganizationName(target)),
    placeholder: vscode.l10n.t('For MongoDB clients. The URI has a placeholder for the password.'),
  });
  await chosen.act();
}

/**
 * Sets the password of the database. Prompts for the password twice, sends it to the service, and
 * doesn't store it.
 */
export async function setDatabasePassword(
  tools: FleetTools,
  given: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'organization', given, 'administer');
  const { organizationId } = target;
  const { uri, hasUser } = await stores.database.connection(organizationId);
  const title = vscode.l10n.t('Database Password of "{0}"', formatOrganizationName(target));
  const user = toDisplayText(parseUserName(uri) ?? '');
  const password = await promptForText({
    title,
    prompt: [
      vscode.l10n.t(
        'New password for the user "{0}", with at least {1} characters.',
        user,
        SHORTEST_PASSWORD,
      ),
      ...(hasUser
        ? [vscode.l10n.t('Clients connected with the old secret are disconnected.')]
        : []),
    ].join(' '),
    password: true,
    leadsToBox: true,
    validate: (text) =>
      text.length < SHORTEST_PASSWORD
        ? {
            message: vscode.l10n.t('Enter at least {0} characters.', SHORTEST_PASSWORD),
            severity: 'incomplete',
          }
        : undefined,
  });
  await promptForText({
    title,
    prompt: vscode.l10n.t(
      'Enter the same password again. It is sent to the service and not stored on this computer.',
    ),
    password: true,
    validate: (text) =>
      text === password
        ? undefined
        : password.startsWith(text)
          ? { message: vscode.l10n.t('Enter the complete password again.'), severity: 'incomplete' }
          : inputError(vscode.l10n.t("The passwords don't match.")),
    submit: () => stores.database.setPassword(organizationId, password),
  });
  const copy = vscode.l10n.t('Copy URI');
  const message = vscode.l10n.t(
    'The database password of "{0}" is set. Connect as "{1}".',
    formatOrganizationName(target),
    user,
  );
  if ((await vscode.window.showInformationMessage(message, copy)) === copy) await copyText(uri);
}

function formatOrganizationName(target: OrganizationTarget): string {
  return displayName({ ...target, id: target.organizationId });
}

import * as vscode from 'vscode';
import { displayName, toDisplayText } from '../../../core/model/displayText';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import { parseUserName } from '../../../core/stores/databaseStore';
import type { FleetTools } from '../../platform/fleetTools';
import { confirmByName, inputError, pickOne, promptForText } from '../../platform/prompts/prompts';
import { formatNumber, toQuickPickText } from '../../platform/text/displayText';
import { resolveTarget } from '../../platform/prompts/resolveTarget';
import { copyText } from '../../platform/commands/statusMessage';
import {
  type DeletedReadings,
  deleteReadings,
  getRetentionStartMicros,
  parseDays,
} from '../../../core/data/actions/deleteReadings';
import { everyCapture } from '../../../core/model/captureFilter';
import type { Clock } from '../../../core/ports';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { reading, trackProgress } from '../../platform/commands/progress';

/** Minimum length that the service accepts (spec part 1, database access). */
const MIN_PASSWORD_LENGTH = 8;

interface ConnectionFact extends vscode.QuickPickItem {
  readonly act: () => Promise<void>;
}

/**
 * Shows the connection string for an organization's database so that the user can copy it. The
 * string doesn't contain the password, which can't be read.
 */
export async function showDatabase(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'organization',
    requestedTarget,
    'readData',
  );
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
    title: vscode.l10n.t('"{0}" Database', formatOrganizationName(target)),
    placeholder: vscode.l10n.t('For MongoDB clients. The URI has a placeholder for the password.'),
  });
  await chosen.act();
}

/**
 * Sets the database password. Prompts for the password twice, sends it to the service, and doesn't
 * store it.
 */
export async function setDatabasePassword(
  tools: FleetTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'organization',
    requestedTarget,
    'administer',
  );
  const { organizationId } = target;
  const { uri, hasUser } = await stores.database.connection(organizationId);
  const title = vscode.l10n.t('"{0}" Database Password', formatOrganizationName(target));
  const user = toDisplayText(parseUserName(uri) ?? '');
  const password = await promptForText({
    title,
    prompt: [
      vscode.l10n.t(
        'New password for the user "{0}", with at least {1} characters.',
        user,
        MIN_PASSWORD_LENGTH,
      ),
      ...(hasUser
        ? [vscode.l10n.t('Clients connected with the old secret are disconnected.')]
        : []),
    ].join(' '),
    password: true,
    leadsToBox: true,
    validate: (text) =>
      text.length < MIN_PASSWORD_LENGTH
        ? {
            message: vscode.l10n.t('Enter at least {0} characters.', MIN_PASSWORD_LENGTH),
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

export interface DatabaseTools extends FleetTools {
  readonly clock: Clock;
}

/**
 * Deletes an organization's readings by age, after counting them and prompting for a typed
 * confirmation.
 */
export async function deleteOldReadings(
  tools: DatabaseTools,
  requestedTarget: OrganizationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(
    tools,
    'organization',
    requestedTarget,
    'writeData',
  );
  const name = displayName({ ...target, id: target.organizationId });
  const days = await promptForDays(name);
  const agreed = tools.clock.now();
  const count = await reading(vscode.l10n.t('Counting the readings'), (signal) =>
    countOlder(stores, target, days, agreed, signal),
  );
  if (count === 0) {
    void vscode.window.showInformationMessage(
      days === 0
        ? vscode.l10n.t('"{0}" has no readings.', name)
        : vscode.l10n.t('"{0}" has no readings older than {1} days.', name, days),
    );
    return;
  }
  await confirmReadings(name, days, count, agreed);
  const title = vscode.l10n.t('Deleting readings of "{0}"', name);
  const { organizationId: organization } = target;
  const deleting = { organization, days, agreed };
  const outcome = await trackProgress(title, (signal, report) =>
    deleteReadings(stores.readings, deleting, {
      clock: tools.clock,
      signal,
      onProgress: (deleted) =>
        report(vscode.l10n.t('{0} of {1}', formatNumber(deleted), formatNumber(count))),
    }),
  );
  showResult(name, count, outcome);
}

/**
 * Shows the result of a deletion. The number of deleted readings can exceed the count, because
 * readings that arrived after the count might also have been deleted.
 */
function showResult(name: string, count: number, { deleted, stopped }: DeletedReadings): void {
  if (stopped) {
    const message = vscode.l10n.t(
      'Deleted the oldest {0} of {1} readings of "{2}" before the action failed: {3}',
      formatNumber(deleted),
      formatNumber(count),
      name,
      stopped.message,
    );
    void vscode.window.showWarningMessage(message);
    return;
  }
  const message =
    deleted < count
      ? vscode.l10n.t(
          'Deleted the oldest {0} of {1} readings from "{2}".',
          formatNumber(deleted),
          formatNumber(count),
          name,
        )
      : vscode.l10n.t('Deleted {0} readings of "{1}".', formatNumber(deleted), name);
  void vscode.window.showInformationMessage(message);
}

async function promptForDays(name: string): Promise<number> {
  const answer = await promptForText({
    title: vscode.l10n.t('Delete Old Readings of "{0}"', name),
    prompt: vscode.l10n.t(
      "How many days of readings do you want to keep? Days are counted in UTC and don't include today. Enter 0 to delete all readings.",
    ),
    validate: (text) =>
      parseDays(text) === undefined
        ? inputError(vscode.l10n.t('Enter a whole number of days, for example 30.'))
        : undefined,
  });
  return parseDays(answer) ?? 0;
}

function countOlder(
  { readings }: FleetStores,
  { organizationId }: OrganizationTarget,
  days: number,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const end = days === 0 ? undefined : getRetentionStartMicros(now, days);
  return readings.count({ ...everyCapture, organizationIds: [organizationId], end }, signal);
}

/**
 * Prompts for confirmation. Deleting all readings also requires typing the name of the
 * organization, because no readings remain.
 */
async function confirmReadings(
  name: string,
  days: number,
  count: number,
  now: Date,
): Promise<void> {
  const counted = formatNumber(count);
  const title = vscode.l10n.t('Delete {0} Readings of "{1}"', counted, name);
  const typed = vscode.l10n.t('delete {0}', count);
  const last = vscode.l10n.t('This can\'t be undone. Type "{0}" to confirm.', typed);
  if (days === 0) {
    await confirmByName({
      title,
      prompt: vscode.l10n.t(
        'This deletes every reading from every machine in the organization. Type "{0}" to confirm.',
        name,
      ),
      name,
    });
    await confirmByName({ title, prompt: last, name: typed });
    return;
  }
  const day = new Date(getRetentionStartMicros(now, days) / 1_000).toISOString().slice(0, 10);
  const retentionNote = vscode.l10n.t('Readings from {0} (UTC) and later are not deleted.', day);
  await confirmByName({ title, prompt: `${retentionNote} ${last}`, name: typed });
}

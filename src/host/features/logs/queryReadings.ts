import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { LogItem } from '../../../core/logs/logItem';
import { toMilliseconds } from '../../../core/model/timestamp';
import type { OrganizationTarget, PartTarget } from '../../../core/model/resourceTarget';
import { readingsQuery, type ReadingsSelection } from '../../../core/query/readingsQuery';
import { owningOrganization } from '../../../core/stores/ownersAbove';
import type { Commands } from '../../platform/commands/commandRegistry';
import { pickOne } from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { RowRange } from './exportLines';
import { itemsBetween } from './lineText';

/**
 * Length, in milliseconds, of the time ranges before and after a line in which readings are
 * queried.
 */
const AROUND_MS = 60_000;

/** Log panel lines whose readings are queried. */
export interface LoggedLines {
  /** Parts whose lines the filter shows. */
  readonly parts: readonly PartTarget[];
  /** All lines that pass the filter, in the order of the rows. */
  readonly items: readonly LogItem[];
  /** Selected lines. */
  readonly range: RowRange | undefined;
}

/**
 * Opens a query for readings. The query is limited to the lines' parts and time range.
 * @throws FleetError
 */
export async function queryReadings(
  { sessions, commands }: { readonly sessions: SessionProvider; readonly commands: Commands },
  { parts, items, range }: LoggedLines,
): Promise<void> {
  const lines = (range ? itemsBetween(items, range.from, range.to) : items).filter(isLine);
  const logged = new Set(lines.map(({ part }) => part));
  const queriedParts = range ? parts.filter(({ partId }) => logged.has(partId)) : parts;
  const { organization, theirs } = await pickOrganization(sessions, queriedParts);
  const selection = { parts: theirs.map(({ partId }) => partId), ...toTimeBounds(lines) };
  await commands.execute('fleetwright.query.openText', {
    organization,
    language: 'sql',
    text: readingsQuery(selection, [vscode.l10n.t('Readings from the time of the log lines')]),
  });
}

function isLine(item: LogItem): item is Extract<LogItem, { kind: 'line' }> {
  return item.kind === 'line';
}

function toTimeBounds(lines: readonly LogItem[]): Pick<ReadingsSelection, 'since' | 'before'> {
  if (lines.length === 0) return {};
  // The rows can be in the order of receipt, and there can be too many for `Math.min(...)`.
  const first = lines.reduce((time, { micros }) => Math.min(time, micros), Infinity);
  const last = lines.reduce((time, { micros }) => Math.max(time, micros), -Infinity);
  return {
    since: { at: toMilliseconds(first) - AROUND_MS },
    before: toMilliseconds(last) + AROUND_MS,
  };
}

interface OrganizationParts {
  readonly organization: OrganizationTarget;
  readonly theirs: readonly PartTarget[];
}

/**
 * Returns the organization to query and its parts. A query is limited to one organization, so the
 * user is prompted if the parts belong to more than one.
 */
async function pickOrganization(
  sessions: SessionProvider,
  parts: readonly PartTarget[],
): Promise<OrganizationParts> {
  const found = await partsByOrganization(sessions, parts);
  const [first, ...others] = found;
  if (!first) {
    throw new FleetError('invalid', vscode.l10n.t('None of these parts has readings to query.'));
  }
  if (others.length === 0) return first;
  const items = found.map((one) => ({ label: toQuickPickText(one.organization.name), one }));
  const { one } = await pickOne(items, {
    title: vscode.l10n.t('Query Readings'),
    placeholder: vscode.l10n.t(
      'The parts belong to several organizations. Select the organization whose readings you want to query.',
    ),
  });
  return one;
}

async function partsByOrganization(
  sessions: SessionProvider,
  parts: readonly PartTarget[],
): Promise<readonly OrganizationParts[]> {
  const owned = await Promise.all(
    parts.map(async (part) => {
      const { connectionId } = part;
      const { id, name } = await owningOrganization(sessions.stores(connectionId), part);
      const organization: OrganizationTarget = {
        kind: 'organization',
        connectionId,
        organizationId: id,
        name,
      };
      return { part, organization };
    }),
  );
  const groups = Map.groupBy(owned, ({ organization }) => organization.organizationId);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first
      ? [{ organization: first.organization, theirs: group.map(({ part }) => part) }]
      : [];
  });
}

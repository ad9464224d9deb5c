import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { LogItem } from '../../../core/logs/logItem';
import { millisecondsOf } from '../../../core/model/micros';
import type { OrganizationTarget, PartTarget } from '../../../core/model/resourceTarget';
import { readingsQuery, type ReadingsSelection } from '../../../core/query/readingsQuery';
import { owningOrganization } from '../../../core/stores/owningOrganization';
import type { Commands } from '../../platform/commandRegistry';
import { askOne } from '../../platform/prompts';
import { quickText } from '../../platform/quickText';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { RowRange } from './lineActions';
import { itemsBetween } from './newestText';

/** Time in milliseconds before and after a line for which its readings are queried. */
const AROUND_MS = 60_000;

/** Lines of a log panel whose readings are queried. */
export interface LoggedLines {
  readonly parts: readonly PartTarget[];
  /** All lines that pass the filter, oldest first. */
  readonly items: readonly LogItem[];
  /** Selected lines. */
  readonly range: RowRange | undefined;
}

/** Opens a query for the readings of the lines' parts and time. @throws FleetError */
export async function queryReadings(
  { sessions, commands }: { readonly sessions: SessionProvider; readonly commands: Commands },
  { parts, items, range }: LoggedLines,
): Promise<void> {
  const lines = (range ? itemsBetween(items, range.from, range.to) : items).filter(isLine);
  const logged = new Set(lines.map(({ part }) => part));
  const wanted = range ? parts.filter(({ partId }) => logged.has(partId)) : parts;
  const { organization, theirs } = await askOrganization(sessions, wanted);
  const selection = { parts: theirs.map(({ partId }) => partId), ...timesOf(lines) };
  await commands.execute('fleetwright.query.openText', {
    ...{ organization, language: 'sql' },
    text: readingsQuery(selection, [vscode.l10n.t('Readings from the time of the log lines')]),
  });
}

function isLine(item: LogItem): item is Extract<LogItem, { kind: 'line' }> {
  return item.kind === 'line';
}

function timesOf(lines: readonly LogItem[]): Pick<ReadingsSelection, 'since' | 'before'> {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) return {};
  return {
    since: { at: millisecondsOf(first.micros) - AROUND_MS },
    before: millisecondsOf(last.micros) + AROUND_MS,
  };
}

interface PartsOfOne {
  readonly organization: OrganizationTarget;
  readonly theirs: readonly PartTarget[];
}

/** A query has one organization: prompts the user if the parts belong to several. */
async function askOrganization(
  sessions: SessionProvider,
  parts: readonly PartTarget[],
): Promise<PartsOfOne> {
  const found = await partsByOrganization(sessions, parts);
  const [first, ...others] = found;
  if (!first) {
    throw new FleetError('invalid', vscode.l10n.t('None of these parts has readings to query.'));
  }
  if (others.length === 0) return first;
  const items = found.map((one) => ({ label: quickText(one.organization.name), one }));
  const { one } = await askOne(items, {
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
): Promise<readonly PartsOfOne[]> {
  const owned = await Promise.all(
    parts.map(async (part) => {
      const { connectionId } = part;
      const { id, name } = await owningOrganization(sessions.stores(connectionId), part);
      const organization: OrganizationTarget = {
        ...{ kind: 'organization', connectionId, organizationId: id, name },
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

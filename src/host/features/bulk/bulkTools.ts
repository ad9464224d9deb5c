import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { FleetTarget, ResourceKind, ResourceTarget } from '../../../core/model/resourceTarget';
import type { Selection } from '../../../manifest/commands';
import type { Commands } from '../../platform/commandRegistry';
import type { SessionProvider } from '../../platform/sessionProvider';
import type { PickTarget, TargetOf } from '../../platform/targetPicker';
import type { BulkReports } from './bulkReports';

/** What the commands on many resources work with. */
export interface BulkTools {
  readonly commands: Commands;
  readonly sessions: SessionProvider;
  readonly pickTarget: PickTarget;
  /** What is selected in the tree, for commands that were called without a target. */
  readonly selection: () => readonly FleetTarget[];
  readonly reports: BulkReports;
}

/** The targets a command can work on, and the others that were selected with them. */
export interface FittingTargets<T> {
  readonly fitting: readonly T[];
  readonly skipped: readonly FleetTarget[];
}

/** What a command acts on: all that is selected, the one that was clicked, or the tree's selection. */
export function givenTargets(
  tools: BulkTools,
  [clicked, selected]: Selection,
): readonly FleetTarget[] {
  if (selected && selected.length > 0) return selected;
  return clicked ? [clicked] : tools.selection();
}

/** Sorts out what a command works on. Throws `invalid` with `nothing` when there is none of it. */
export function ofKinds<K extends ResourceKind>(
  targets: readonly FleetTarget[],
  kinds: readonly K[],
  nothing: string,
): FittingTargets<TargetOf<K>> {
  const fits = (target: FleetTarget): target is TargetOf<K> =>
    kinds.some((kind) => kind === target.kind);
  const fitting = targets.filter(fits);
  if (fitting.length === 0) throw new FleetError('invalid', nothing);
  return { fitting, skipped: targets.filter((target) => !fits(target)) };
}

/** The names of the organizations the targets are in. */
export async function organizationNames(
  { sessions }: BulkTools,
  targets: readonly ResourceTarget[],
): Promise<string> {
  const byId = new Map(targets.map((target) => [target.organizationId, target.connectionId]));
  const names = await Promise.all(
    [...byId].map(async ([id, connectionId]) => {
      const organization = await sessions.stores(connectionId).organizations.get(id);
      return `"${organization.name}"`;
    }),
  );
  return listText(names);
}

/** Phrases put together as people say them: `a, b and c`. */
export function listText(phrases: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(phrases);
}

import * as vscode from 'vscode';
import { FleetError, toFleetError } from '../../../core/api/errors';
import { organizationId } from '../../../core/model/ids';
import type { OrganizationTarget } from '../../../core/model/resourceTarget';
import {
  type NotebookOrganization,
  organizationIn,
  withOrganization,
} from '../../../core/query/notebook/notebookHeader';
import { lineBreakOf } from '../../../core/query/notebook/printNotebook';
import { applyEdit } from '../../platform/applyEdit';
import type { FleetTools } from '../../platform/fleetTools';
import { requireConnection } from '../../platform/requireConnection';
import { notebookMetadata, readCellMetadata, readNotebookMetadata } from './metadata';

type Tools = Pick<FleetTools, 'sessions' | 'pickTarget'>;

/** Which organization a notebook names in its header. */
export function namedOrganization({
  metadata,
}: Pick<vscode.NotebookDocument, 'metadata'>): NotebookOrganization | undefined {
  return organizationIn(readNotebookMetadata(metadata).head);
}

/**
 * Whose readings a notebook asks: the organization that it names, on whichever connection knows it, the
 * active one first. Asks the person once where it names none, and writes down the answer. Throws what
 * reading organizations throws, `notFound` when no connection knows it, and `canceled`.
 */
export async function organizationOf(
  notebook: vscode.NotebookDocument,
  tools: Tools,
): Promise<OrganizationTarget> {
  const named = namedOrganization(notebook);
  return named ? findOrganization(named, tools) : chooseOrganization(notebook, tools);
}

/** Asks for an organization and writes it into the notebook. Throws `canceled`. */
export async function chooseOrganization(
  notebook: vscode.NotebookDocument,
  { sessions, pickTarget }: Tools,
): Promise<OrganizationTarget> {
  requireConnection(sessions);
  const target = await pickTarget('organization');
  const frame = readNotebookMetadata(notebook.metadata);
  const cells = notebook.getCells().map(({ metadata }) => readCellMetadata(metadata));
  const lineBreak = lineBreakOf({ ...frame, cells });
  const head = withOrganization(frame.head, headerOrganization(target), lineBreak);
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [
    vscode.NotebookEdit.updateNotebookMetadata(notebookMetadata({ ...frame, head })),
  ]);
  await applyEdit(edit, notebook.uri);
  return target;
}

/** An organization as the header of a notebook names it. */
export function headerOrganization({
  organizationId: id,
  name,
}: OrganizationTarget): NotebookOrganization {
  return { id, name };
}

/** An organization on whichever connection knows it, the active one first. Throws as `organizationOf` does. */
export async function findOrganization(
  named: NotebookOrganization,
  { sessions }: Pick<FleetTools, 'sessions'>,
  signal?: AbortSignal,
): Promise<OrganizationTarget> {
  const active = requireConnection(sessions);
  const others = sessions.connections.filter(({ id }) => id !== active.id);
  const failures: FleetError[] = [];
  for (const connection of [active, ...others]) {
    try {
      const organizations = await sessions.stores(connection.id).organizations.list({ signal });
      const found = organizations.find(({ id }) => id === organizationId(named.id));
      if (found) {
        const { id, name } = found;
        return { kind: 'organization', connectionId: connection.id, organizationId: id, name };
      }
    } catch (error) {
      failures.push(toFleetError(error));
    }
  }
  throw failures[0] ?? unknownOrganization(named);
}

function unknownOrganization({ id, name }: NotebookOrganization): FleetError {
  const message = vscode.l10n.t(
    'This notebook queries the organization {0}, which is not available in any connection. Sign in to its fleet, or select another organization.',
    name || id,
  );
  return new FleetError('notFound', message, { action: 'signIn' });
}

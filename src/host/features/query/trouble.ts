import * as vscode from 'vscode';
import { toFleetError } from '../../../core/api/errors';
import type { QueryTrouble } from '../../../shared/query/queryPanel';
import { requireRight } from '../../platform/requireRight';
import type { QuerySession } from './querySession';

/** Why nothing can be asked now, and what to ask for; nothing of it when something can. */
export async function troubleOf(session: QuerySession): Promise<QueryTrouble> {
  if (!session.isSignedIn) {
    const problem = vscode.l10n.t(
      'You are signed out of the connection that these readings are of.',
    );
    return { problem, canSignIn: true };
  }
  try {
    await requireRight(session.stores, session.target, 'readData');
    return { canSignIn: false };
  } catch (error) {
    return { problem: toFleetError(error).message, canSignIn: false };
  }
}

/** What is said of a failure besides its message, by its kind. */
export function adviceOn(kind: string): string | undefined {
  return kind === 'permission'
    ? vscode.l10n.t(
        'To ask the readings of an organization, the key needs a role on the organization itself, such as Operator. Ask one of its owners.',
      )
    : undefined;
}

import * as vscode from 'vscode';
import { toFleetError } from '../../../core/api/errors';
import type { QueryTrouble } from '../../../shared/query/queryPanel';
import { wayOutOf } from '../../../shared/wayOut';
import { requireRight } from '../../platform/requireRight';
import type { QuerySession } from './querySession';

type AskedSession = Pick<QuerySession, 'isSignedIn' | 'isSilent' | 'stores' | 'target'>;

/** Why nothing can be asked now, and what to ask for; nothing of it when something can. */
export async function troubleOf(session: AskedSession): Promise<QueryTrouble> {
  if (session.isSignedIn && session.isSilent) return { problem: describeSilence(), canRun: true };
  const trouble = session.isSignedIn ? await refusalOf(session) : signedOut();
  // What was heard of rights says nothing any more when it was signed out in the meantime.
  return session.isSignedIn ? trouble : signedOut();
}

async function refusalOf({ stores, target }: AskedSession): Promise<QueryTrouble> {
  try {
    await requireRight(stores, target, 'readData');
    return {};
  } catch (error) {
    const { message, action } = toFleetError(error);
    return { problem: message, way: wayOutOf(action) };
  }
}

/** Says that the service does not answer, and what that means for queries. */
export function describeSilence(): string {
  return vscode.l10n.t("The service isn't responding. Queries continue when it responds again.");
}

function signedOut(): QueryTrouble {
  const problem = vscode.l10n.t('You are signed out of the connection for these readings.');
  return { problem, way: 'signIn' };
}

/** What is said of a failure besides its message, by its kind. */
export function adviceOn(kind: string): string | undefined {
  return kind === 'permission'
    ? vscode.l10n.t(
        "To query an organization's readings, the key needs a role on the organization, such as Operator. Ask an owner for access.",
      )
    : undefined;
}

/** Says that parameters have no value. */
export function describeMissingValues(names: readonly string[]): string {
  return vscode.l10n.t('Enter a value for {0} first.', names.join(', '));
}

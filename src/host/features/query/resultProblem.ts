import * as vscode from 'vscode';
import { toFleetError } from '../../../core/api/errors';
import type { QueryErrorState } from '../../../shared/query/queryPanel';
import { toRecoveryAction } from '../../../shared/recoveryAction';
import { requireRight } from '../../platform/permissions/requireRight';
import type { QuerySession } from './querySession';

type QueryAccess = Pick<QuerySession, 'isSignedIn' | 'isSilent' | 'stores' | 'target'>;

/**
 * Returns the reason why queries can't be run, with a recovery action; an empty state if they can.
 */
export async function getErrorState(session: QueryAccess): Promise<QueryErrorState> {
  if (session.isSignedIn && session.isSilent) return { problem: describeSilence(), canRun: true };
  const errorState = session.isSignedIn ? await getAccessProblem(session) : signedOut();
  // If the connection has been signed out since the check, the permissions are outdated.
  return session.isSignedIn ? errorState : signedOut();
}

async function getAccessProblem({ stores, target }: QueryAccess): Promise<QueryErrorState> {
  try {
    await requireRight(stores, target, 'readData');
    return {};
  } catch (error) {
    const { message, action } = toFleetError(error);
    return { problem: message, recovery: toRecoveryAction(action) };
  }
}

/** Returns the message for an unresponsive service, including the effect on queries. */
export function describeSilence(): string {
  return vscode.l10n.t("The service isn't responding. Queries resume when it responds again.");
}

function signedOut(): QueryErrorState {
  const problem = vscode.l10n.t('You are signed out of the connection for these readings.');
  return { problem, recovery: 'signIn' };
}

/** Returns additional advice for a kind of error. */
export function adviceOn(kind: string): string | undefined {
  return kind === 'permission'
    ? vscode.l10n.t(
        "To query an organization's readings, the key needs a role on the organization, such as Operator. Ask an owner for access.",
      )
    : undefined;
}

/** Returns the message for parameters without a value. */
export function describeMissingValues(names: readonly string[]): string {
  return vscode.l10n.t('Enter a value for {0} first.', names.join(', '));
}

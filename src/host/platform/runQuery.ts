import type * as vscode from 'vscode';
import type { ConnectionId, OrganizationId } from '../../core/model/ids';
import type { QueryLanguage } from '../../core/model/query';
import type { QueryProblem } from '../../shared/query/results';

/** Query in a file. */
export interface FileQuery {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly language: QueryLanguage;
  /** Text to run: the whole file or the selected part of it. */
  readonly text: string;
  readonly recent: boolean;
  readonly uri: vscode.Uri;
  /** One-based line range in the file, inclusive. */
  readonly lines: { readonly firstLine: number; readonly lastLine: number };
}

/**
 * Runs a query of a file and shows its result in the file's panel. Prompts for the values of the
 * query's parameters. Resolves when the query has finished.
 * @returns the problem, with its position in the given text, if the query fails
 * @throws FleetError `canceled` if the user dismisses the prompts, and errors that prevent running
 *   the query.
 */
export type RunQuery = (query: FileQuery) => Promise<QueryProblem | undefined>;

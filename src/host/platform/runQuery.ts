import type * as vscode from 'vscode';
import type { ConnectionId, OrganizationId } from '../../core/model/ids';
import type { QueryLanguage } from '../../core/model/query';
import type { QueryProblem } from '../../shared/query/results';

/** A query that stands in a file. */
export interface FileQuery {
  readonly connectionId: ConnectionId;
  readonly organizationId: OrganizationId;
  readonly language: QueryLanguage;
  /** What is run: the file's text, or the selected part of it. */
  readonly text: string;
  readonly recent: boolean;
  readonly uri: vscode.Uri;
  /** The lines of the file that are run. They count from one, the last is included. */
  readonly lines: { readonly firstLine: number; readonly lastLine: number };
}

/**
 * Runs a query of a file and shows its result in a panel of the file. Prompts for the values of its
 * parameters.
 * @returns when the query has ended: why it failed, with its place in the text that was given.
 * @throws FleetError `canceled` when the person leaves the questions, and what keeps it from being asked.
 */
export type RunQuery = (query: FileQuery) => Promise<QueryProblem | undefined>;

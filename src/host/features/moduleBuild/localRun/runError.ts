import * as vscode from 'vscode';
import { FleetError } from '../../../../core/api/errors';
import { formatRunProblem, type RunProblem } from '../../../../core/modules/run/runProblem';

/** Error of a local run with a localized message. */
export class RunError extends FleetError {
  constructor(readonly problem: RunProblem) {
    super(toErrorKind(problem), formatRunProblem(vscode.l10n, problem));
  }
}

function toErrorKind({ kind }: RunProblem): FleetError['kind'] {
  switch (kind) {
    case 'canceled':
      return 'canceled';
    case 'internal':
      return 'internal';
    default:
      return 'invalid';
  }
}

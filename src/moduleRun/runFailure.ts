import { englishLocalizer } from '../base/localizer';
import { formatRunProblem, type RunProblem } from '../core/modules/run/runProblem';

/** Error of a local run, with a problem that the editor formats for the user. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';

  constructor(readonly problem: RunProblem) {
    super(formatRunProblem(englishLocalizer, problem));
  }
}

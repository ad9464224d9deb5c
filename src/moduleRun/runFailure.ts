import { englishLocalizer } from '../base/localizer';
import { formatRunProblem, type RunProblem } from '../core/modules/run/runProblem';

/** Error of a local run, with the problem for the editor to format. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';

  constructor(readonly problem: RunProblem) {
    super(formatRunProblem(englishLocalizer, problem));
  }
}

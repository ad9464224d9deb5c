import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import type { QueryTrouble } from '../../src/shared/query/queryPanel';
import { button, element } from '../ui/elements';

/** Says why nothing can be asked, as long as that is so. What was written stays in the editor. */
export class TroubleBar {
  readonly element = element('div', { class: 'query-trouble', role: 'alert' });

  constructor(
    private readonly strings: QueryFrameStrings['states'],
    private readonly onSignIn: () => void,
  ) {
    this.element.hidden = true;
  }

  show({ problem, canSignIn }: QueryTrouble): void {
    this.element.hidden = problem === undefined;
    this.element.replaceChildren();
    if (problem === undefined) return;
    this.element.append(element('p', {}, problem));
    if (!canSignIn) return;
    const { signIn } = this.strings;
    this.element.append(
      button(signIn, this.onSignIn, { focusKey: 'query sign in', primary: true }),
    );
  }
}

import type { QueryTrouble } from '../../src/shared/query/queryPanel';
import type { HostWayOut, WayOutWords } from '../../src/shared/wayOut';
import { button, element } from '../ui/elements';

/** Shows the reason why queries can't be run, while it applies. The text in the editor is kept. */
export class TroubleBar {
  readonly element = element('div', { class: 'query-trouble', role: 'alert' });

  constructor(
    private readonly words: WayOutWords,
    private readonly wayOut: (way: HostWayOut) => void,
  ) {
    this.element.hidden = true;
  }

  show({ problem, way = 'retry' }: QueryTrouble): void {
    this.element.hidden = problem === undefined;
    this.element.replaceChildren();
    if (problem === undefined) return;
    this.element.append(element('p', {}, problem));
    // The host retries automatically.
    if (way === 'retry') return;
    this.element.append(
      button(this.words[way], () => this.wayOut(way), { focusKey: way, primary: true }),
    );
  }
}

import { type QueryExample, queryExamples } from '../../src/shared/query/queryFrameStrings';
import type { QueryFrameStrings } from '../../src/shared/query/queryFrameStrings';
import { element } from '../ui/elements';

/** Placeholder shown before the first run, with example queries. */
export class EmptyState {
  readonly element: HTMLElement;

  constructor(
    strings: QueryFrameStrings['empty'],
    {
      use,
      getText: textOf,
    }: { use: (example: QueryExample) => void; getText: (one: QueryExample) => string },
  ) {
    const examples = queryExamples.map((example) => {
      const made = element(
        'button',
        { type: 'button', class: 'query-example', 'data-focus': `example ${example}` },
        element('span', { class: 'example-title' }, strings.examples[example]),
        element('code', { class: 'example-text' }, textOf(example)),
      );
      made.addEventListener('click', () => use(example));
      return element('li', {}, made);
    });
    this.element = element(
      'div',
      { class: 'query-empty' },
      element('h2', {}, strings.title),
      element('p', { class: 'faint' }, strings.hint),
      element('ul', { class: 'query-examples' }, ...examples),
    );
  }
}

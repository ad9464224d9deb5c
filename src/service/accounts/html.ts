/** HTML created by `html`, which can be safely embedded in other HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlContent = Html | string | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML from a template. Escapes inserted strings. */
export function html(parts: TemplateStringsArray, ...values: HtmlContent[]): Html {
  return new Html(
    parts
      .map((part, index) => part + (index < values.length ? render(values[index]) : ''))
      .join(''),
  );
}

function render(value: HtmlContent | undefined): string {
  if (value instanceof Html) {
    return value.text;
  }
  return typeof value === 'object'
    ? value.map(({ text }) => text).join('')
    : (value ?? '').replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Returns an unordered list of strings. */
export function list(items: readonly string[]): Html {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li> `)}
  </ul>`;
}

/**
 * Puts values into a template, in the places of their names: `{{name}}`. They go in as they are: what
 * is a text in the file has its quotes already.
 *
 * @throws Error for a name without a value, which is a mistake in the template
 */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has an unknown placeholder "${name}".`);
    return value;
  });
}

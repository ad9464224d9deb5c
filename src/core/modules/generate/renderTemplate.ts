/**
 * Replaces the placeholders `{{name}}` in a template with values. Inserts the values unchanged,
 * because values that are strings in the file already have quotes.
 *
 * @throws Error for a name without a value, which is a bug in the template
 */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has an unknown placeholder "${name}".`);
    return value;
  });
}

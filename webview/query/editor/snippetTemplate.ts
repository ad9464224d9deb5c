/**
 * A snippet as VS Code writes it (`$1`, `${2:name}`, `$0`, `\$`) in the form of this editor, which knows
 * places in braces only and takes no other dollar for one.
 */
export function snippetTemplate(snippet: string): string {
  return snippet.replaceAll(/\\([$\\])|\$(\d+)/g, (found, escaped?: string, place?: string) => {
    if (escaped !== undefined) return escaped;
    return place === undefined ? found : `\${${place}}`;
  });
}

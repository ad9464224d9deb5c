import { displayText } from '../../core/model/displayText';

/** Remote text for a list to pick from or the status bar, where `$(` would begin an icon. */
export function quickText(text: string): string {
  return escapeIcons(displayText(text));
}

/** The names of what something is in, `›` where they go inward and `‹` where they go outward. */
export function quickPath(names: readonly string[], separator: '›' | '‹' = '›'): string {
  return escapeIcons(names.map((name) => displayText(name)).join(` ${separator} `));
}

/** A label with an icon before remote text, which must not bring icons of its own. */
export function iconLabel(icon: string, text: string): string {
  return `$(${icon}) ${escapeIcons(text)}`;
}

/** A text put together of safe ones, in which `$(` begins no icon. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

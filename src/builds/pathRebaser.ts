import { existsSync } from 'fs';
import { relative, sep, isAbsolute, join } from 'path/posix';
import { Transform, type TransformCallback } from 'stream';
import { StringDecoder } from 'string_decoder';

/**
 * Maximum time in milliseconds for which an incomplete line is buffered. The line can be a prompt
 * that the user must see.
 */
const FLUSH_DELAY_MS = 100;

/**
 * Maximum length of lines that are searched for paths. Longer lines don't contain file positions.
 */
const MAX_LINE_LENGTH = 10000;

/** Color codes that can precede a path. */
const COLORS = String.raw`(?:\u001b\[[\d;]*m)*`;

/** Formats of paths in compiler output (before `:line` or `(line,column)`) and in Python output. */
const FORMS: readonly RegExp[] = [
  new RegExp(
    String.raw`^(${COLORS})([^\s:()\u001b][^:()\u001b]*?)(?=${COLORS}(?::${COLORS}\d+|\(\d+,\d+\)))`,
  ),
  /^(\s+File ")([^"]+)(?=", line \d)/,
];

/**
 * Rewrites paths in compiler output to be relative to an outer folder, because the editor resolves
 * them against that folder. Rewrites only paths of existing files at the start of a line. Passes
 * everything else through unchanged.
 */
export class PathRebaser extends Transform {
  private readonly decoder = new StringDecoder('utf8');
  private readonly inner: string;
  private line = '';
  /** True while processing the rest of a line whose start was already written. */
  private isWithin = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param folder working directory of the compilers, absolute
   * @param outer base folder of the rewritten paths, absolute
   */
  constructor(
    private readonly folder: string,
    outer: string,
  ) {
    super();
    this.inner = relative(outer, folder).split(sep).join('/');
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    clearTimeout(this.timer);
    const [first = '', ...others] = this.decoder.write(chunk).split('\n');
    this.line += first;
    for (const next of others) {
      this.writeText(`${this.line}\n`);
      this.isWithin = false;
      this.line = next;
    }
    if (this.isWithin || this.line.length > MAX_LINE_LENGTH) this.writeBeginning();
    else if (this.line !== '') this.timer = setTimeout(() => this.writeBeginning(), FLUSH_DELAY_MS);
    done();
  }

  override _flush(done: TransformCallback): void {
    clearTimeout(this.timer);
    this.line += this.decoder.end();
    this.writeBeginning();
    done();
  }

  private writeBeginning(): void {
    if (this.line === '') return;
    this.writeText(this.line);
    this.isWithin = true;
    this.line = '';
  }

  private writeText(text: string): void {
    this.push(this.isWithin ? text : this.rebasePath(text));
  }

  private rebasePath(text: string): string {
    for (const form of FORMS) {
      const [whole, before = '', path = ''] = form.exec(text) ?? [];
      if (whole === undefined || isAbsolute(path) || !existsSync(join(this.folder, path))) continue;
      return `${before}${this.inner}/${path.replace(/^\.\//, '')}${text.slice(whole.length)}`;
    }
    return text;
  }
}

import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A line that begins is written at the latest so long afterwards: it may be a question. In milliseconds. */
const PATIENCE_MS = 100;
/** Longer lines say nothing about a file. */
const LONGEST_LINE = 10_000;
/** Colors before a path. */
const COLORS = String.raw`(?:\u001b\[[\d;]*m)*`;
/** Of compilers, before `:line` or `(line,column)`; and of Python. */
const FORMS: readonly RegExp[] = [
  new RegExp(
    String.raw`^(${COLORS})([^\s:()\u001b][^:()\u001b]*?)(?=${COLORS}(?::${COLORS}\d+|\(\d+,\d+\)))`,
  ),
  /^(\s+File ")([^"]+)(?=", line \d)/,
];

/**
 * Says the paths in the output of compilers relative to a folder further out, which is where the editor
 * looks for them: at the beginning of lines, and only of files that are there. All else passes as it is.
 */
export class PlacedPaths extends Transform {
  private readonly decoder = new StringDecoder('utf8');
  private readonly inner: string;
  private line = '';
  /** The rest of a line whose beginning was written. */
  private isWithin = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param folder where the compilers run, absolute
   * @param outer what paths are to be relative to, absolute
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
    if (this.isWithin || this.line.length > LONGEST_LINE) this.writeBeginning();
    else if (this.line !== '') this.timer = setTimeout(() => this.writeBeginning(), PATIENCE_MS);
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
    this.push(this.isWithin ? text : this.placed(text));
  }

  private placed(text: string): string {
    for (const form of FORMS) {
      const [whole, before = '', path = ''] = form.exec(text) ?? [];
      if (whole === undefined || isAbsolute(path) || !existsSync(join(this.folder, path))) continue;
      return `${before}${this.inner}/${path.replace(/^\.\//, '')}${text.slice(whole.length)}`;
    }
    return text;
  }
}

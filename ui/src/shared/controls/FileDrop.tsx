import { useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { Button } from './Button';
import type { ButtonProps } from './Button';

interface Takes {
  /** Accessible name of the input, such as "Model files". */
  label: string;
  /** Endings and types to choose from, as an `input` wants them. */
  accept?: string | undefined;
  multiple?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
}

/** A hidden file input, and a function that opens the system's file chooser. */
function useChooser({ label, accept, multiple = false, disabled = false, onFiles }: Takes) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  const element = (
    <input
      ref={input}
      className="sr"
      type="file"
      multiple={multiple}
      accept={accept}
      disabled={disabled}
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        // Allows choosing the same file again.
        event.target.value = '';
      }}
    />
  );
  return { choose, element };
}

/** A drop target for files, or a chooser opened by the `choose` function passed to `children`. */
export function FileDrop({
  look = 'line',
  over: overElsewhere,
  children,
  ...takes
}: Takes & {
  /** A line in a form, a narrow box with centred words, or the broad one at the head of a page. */
  look?: 'line' | 'stacked' | 'broad';
  /** Whether files are dragged over it while the whole window accepts drops; then it accepts none itself. */
  over?: boolean | undefined;
  children: (choose: () => void) => ReactNode;
}) {
  const { choose, element } = useChooser(takes);
  const [held, setHeld] = useState(false);
  const isOver = overElsewhere ?? held;
  const drops =
    overElsewhere === undefined
      ? {
          onDragOver: (event: DragEvent) => {
            event.preventDefault();
            setHeld(true);
          },
          onDragLeave: () => {
            setHeld(false);
          },
          onDrop: (event: DragEvent) => {
            event.preventDefault();
            // The window accepts files that no other target accepts.
            event.stopPropagation();
            setHeld(false);
            const files = [...event.dataTransfer.files];
            takes.onFiles(takes.multiple ? files : files.slice(0, 1));
          },
        }
      : {};
  return (
    <div className={['filedrop', look !== 'line' && look, isOver && 'over'].filter(Boolean).join(' ')} {...drops}>
      {children(choose)}
      {element}
    </div>
  );
}

/** A button that has a person choose a file. */
export function FileButton({
  label,
  accept,
  multiple,
  onFiles,
  children,
  ...button
}: Omit<Takes, 'disabled'> & Omit<ButtonProps, 'onClick'>) {
  const { choose, element } = useChooser({ label, accept, onFiles, ...(multiple ? { multiple } : {}) });
  return (
    <>
      {element}
      <Button onClick={choose} {...button}>
        {children}
      </Button>
    </>
  );
}

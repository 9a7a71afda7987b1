import { useState } from 'react';
import { useFound } from './found';
import { Palette } from './Palette';

/** The palette, with what the service has by the text that is typed. */
export function SearchPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const { found, trouble } = useFound(text);
  return <Palette onClose={onClose} onText={setText} rows={found} trouble={trouble} />;
}

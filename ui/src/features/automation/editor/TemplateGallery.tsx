import { useState } from 'react';
import { Button, Dialog } from '@/shared';
import { templates } from './templates';
import type { Template } from './templates';

/** Workflow templates. Choosing one replaces the text, with a confirmation if there was any. */
export function TemplateGallery({
  isChanged,
  onChoose,
}: {
  isChanged: boolean;
  onChoose: (template: Template) => void;
}) {
  const [asked, setAsked] = useState<Template | null>(null);
  return (
    <>
      <ul className="wf-templates">
        {templates.map((template) => (
          <li key={template.id}>
            <b>{template.title}</b>
            <p className="small muted">{template.about}</p>
            <Button
              size="small"
              aria-label={`Use ${template.title}`}
              onClick={() => {
                if (isChanged) setAsked(template);
                else onChoose(template);
              }}
            >
              Use
            </Button>
          </li>
        ))}
      </ul>
      {asked && (
        <Dialog
          open
          title={`Use ${asked.title}?`}
          onClose={() => {
            setAsked(null);
          }}
          actions={
            <>
              <Button
                onClick={() => {
                  setAsked(null);
                }}
              >
                Keep the text
              </Button>
              <Button
                kind="primary"
                onClick={() => {
                  onChoose(asked);
                  setAsked(null);
                }}
              >
                Use the template
              </Button>
            </>
          }
        >
          <p>It replaces your unsaved text. Undo in the editor (Ctrl Z) restores it.</p>
        </Dialog>
      )}
    </>
  );
}

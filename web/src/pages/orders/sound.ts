import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';

const NOTES = [880, 1174.66];
const LENGTH = 0.18;

let context: AudioContext | undefined;

function awake(): AudioContext {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
}

/** Two short notes, made here: nothing is downloaded. */
function ring() {
  const audio = awake();
  for (const [at, frequency] of NOTES.entries()) {
    const start = audio.currentTime + at * LENGTH;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.type = 'sine';
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.3, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
}

/** How long the other tabs of a browser stay silent. */
const ECHO_MS = 2_000;

/** Of all tabs that hear of the same order, one rings: one that somebody has touched, as browsers want it. */
export function ringOnce() {
  if (!navigator.userActivation.hasBeenActive) return;
  // Only safe places have locks; elsewhere every tab rings for itself.
  if (!navigator.locks) return ring();
  void navigator.locks.request('quipu.ring', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    ring();
    await new Promise((later) => setTimeout(later, ECHO_MS));
  });
}

/** Whether new orders are heard, as it was last chosen on this machine. */
export function useSound(): [boolean, (on: boolean) => void] {
  const [on, setOn] = useLocalStorage({
    key: 'quipu.orders.sound',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  useEffect(() => {
    if (!on) return;
    // A browser lets a page make a sound only once somebody has touched it.
    const touch = () => awake();
    window.addEventListener('pointerdown', touch, { once: true });
    window.addEventListener('keydown', touch, { once: true });
    return () => {
      window.removeEventListener('pointerdown', touch);
      window.removeEventListener('keydown', touch);
    };
  }, [on]);
  const choose = (wanted: boolean) => {
    setOn(wanted);
    if (wanted) ring();
  };
  return [on, choose];
}

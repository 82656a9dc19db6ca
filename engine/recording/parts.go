package recording

import (
	"context"
	"slices"

	"attnatlas/engine"
	"attnatlas/engine/encoder"
	"attnatlas/engine/modelfile"
	"attnatlas/engine/predict"
	"attnatlas/engine/tokenizer"
	"attnatlas/engine/trace"
	"attnatlas/engine/train"
)

// The recording of an encoder–decoder holds, for every text and task, the text that the model
// wrote, and attention maps over the right answer (teacher forcing, as in training). So a row is
// the same word in every frame. The maps of every layer and head are the cross-attention [H,N,M],
// which finds the words, and the decoder's self-attention [H,N,N]. The scores and the encoder's
// maps are left out, because they would take more space than both.

// Task is one of the tasks of an encoder–decoder.
type Task struct {
	Name string    `json:"name"`
	Loss []float64 `json:"loss"` // validation loss after each step, in nats per written token
}

// part is an engine.Part.
type part struct {
	name   string
	layers []layer
}

// reading is a text with a task for an encoder–decoder.
type reading struct{ text, task string }

// readings returns all texts, each with every task.
func (r *Recording) readings() (all []reading) {
	for _, text := range r.Texts {
		for _, task := range r.Tasks {
			all = append(all, reading{text, task.Name})
		}
		if len(r.Tasks) == 0 {
			all = append(all, reading{text: text})
		}
	}
	return all
}

// Reading returns the number of a text with a task. The empty task stands for the first. A model
// without tasks ignores it.
func (r *Recording) Reading(text, task string) (int, bool) {
	i := slices.IndexFunc(r.readings(), func(known reading) bool {
		return known.text == text && (len(r.Tasks) == 0 || task == "" || known.task == task)
	})
	return i, i >= 0
}

// Task returns the requested task; an empty name stands for the first. It returns "" for a model
// without tasks.
func (r *Recording) Task(asked string) string {
	for _, t := range r.Tasks {
		if asked == "" || t.Name == asked {
			return t.Name
		}
	}
	return ""
}

// Parts returns the names of the recorded parts of an encoder–decoder.
func (r *Recording) Parts() (names []string) {
	for _, p := range r.frames[0][0].parts {
		names = append(names, p.name)
	}
	return names
}

// LossOf returns the loss in a task after every step. The empty task stands for the first. A model
// without tasks has one loss.
func (r *Recording) LossOf(task string) []float64 {
	for _, t := range r.Tasks {
		if task == "" || t.Name == task {
			return t.Loss
		}
	}
	return r.Loss
}

// tasks returns the names of the tasks.
func (r *Recording) tasks() (names []string) {
	for _, t := range r.Tasks {
		names = append(names, t.Name)
	}
	return names
}

// open reads the provenance of the finished model, and its tasks.
func (t *taker) open(data []byte) (info engine.ModelInfo, err error) {
	if !twoStacks(t.ID) {
		_, info, err = modelfile.Open(data)
		return info, err
	}
	m, info, err := modelfile.OpenSeq2Seq(data)
	if err != nil {
		return info, err
	}
	for _, task := range m.Config.Tasks {
		t.r.Tasks = append(t.r.Tasks, Task{Name: task.Name})
	}
	return info, nil
}

// twoStacks reports whether a model is an encoder–decoder.
func twoStacks(id string) bool {
	stack, _, _ := encoder.Parse(id)
	return stack == encoder.EncoderDecoder.ID
}

// measure adds the loss of a model. For an encoder–decoder it adds the loss of each task, and their
// mean.
func (t *taker) measure(ctx context.Context, data []byte) error {
	if !twoStacks(t.ID) {
		m, _, err := modelfile.Open(data)
		if err != nil {
			return err
		}
		loss, err := train.Loss(ctx, m, t.Valid)
		t.r.Loss = append(t.r.Loss, loss)
		return err
	}
	m, _, err := modelfile.OpenSeq2Seq(data)
	if err != nil {
		return err
	}
	losses, err := train.Seq2SeqLosses(ctx, m, t.Valid)
	mean := 0.0
	for i := range t.r.Tasks {
		task := &t.r.Tasks[i]
		task.Loss = append(task.Loss, losses[task.Name])
		mean += losses[task.Name] / float64(len(losses))
	}
	t.r.Loss = append(t.r.Loss, mean)
	return err
}

// frameOfParts returns the frame of an encoder–decoder.
func (t *taker) frameOfParts(res *engine.Result) (f frame) {
	for _, s := range res.Generated.Steps {
		f.written = append(f.written, s.Piece)
	}
	for _, name := range []string{engine.CrossPart, engine.DecoderPart} {
		p, _ := res.Part(name) // every encoder–decoder has it
		one := part{name: name}
		for _, l := range p.Layers {
			m, _ := l.Find(engine.PartMap(name))
			one.layers = append(one.layers, layer{l.Number, l.Name, t.shots([]trace.Map{m}, m.Value.Dim(-1)), l.Distinctive})
		}
		f.parts = append(f.parts, one)
	}
	return f
}

// settle sets the most distinctive heads of every frame to those of the last frame, which the
// finished model shows.
func (t *taker) settle() {
	last := t.r.frames[len(t.r.frames)-1]
	for _, row := range t.r.frames {
		for i, f := range row {
			for p := range f.parts {
				for l := range f.parts[p].layers {
					f.parts[p].layers[l].distinctive = last[i].parts[p].layers[l].distinctive
				}
			}
		}
	}
}

// addParts adds the text that an encoder–decoder wrote, and its maps.
func (r *Recording) addParts(v *tokenizer.Vocabulary, res *engine.Result, text []tokenizer.Token, at, number int) {
	f, tasks := r.frames[at][number], r.tasks()
	written := make([]int, len(f.written))
	for i, piece := range f.written {
		id, ok := v.ID(piece)
		if !ok {
			id = v.UNK()
		}
		written[i] = id
	}
	res.Generated = predict.NewGeneration(v, tasks, number%len(tasks), text, written)
	for _, p := range f.parts {
		res.Parts = append(res.Parts, engine.Part{Name: p.name, Layers: r.layers(p.layers)})
	}
}

// fits reports whether the tasks exist and have a loss after every step.
func (h header) fits() bool {
	for _, t := range h.Tasks {
		if !slices.Contains(predict.WritingTasks(), t.Name) || len(t.Loss) != len(h.Steps) {
			return false
		}
	}
	return true
}
